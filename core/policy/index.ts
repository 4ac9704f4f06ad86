export {
  type DemandedKeyStorage,
  type Policy,
  type PolicyFault,
  type PolicyState,
  readPolicy,
  type SetByPolicy,
} from '#core/policy/policy';
export {
  findPolicyEntries,
  locksExpectedItem,
  withPolicyKeys,
  withPolicyTemplates,
} from '#core/policy/policy-entries';
