import type { ESLint, Rule } from 'eslint';

/** Matches a first word in the third person singular, as far as its ending tells. */
const verb = /^[A-Z][a-z]*s,?$/;

/** Lists words of that ending that are no verbs where they stand first. */
const nouns: readonly string[] = [
  'Alarms',
  'Bodies',
  'Bytes',
  'Claims',
  'Faults',
  'Files',
  'Items',
  'Its',
  'Pages',
  'Samples',
  'Settings',
  'Shares',
  'Statuses',
  'Texts',
  'This',
  'Values',
  'Ways',
];

const verbFirst: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      verbFirst: 'A docstring of what is exported begins with a verb: "Returns", "Holds", "Tells".',
    },
  },
  create: (context) => ({
    ExportNamedDeclaration: (node) => {
      const comment = context.sourceCode.getCommentsBefore(node).at(-1);
      if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return;
      const [first = ''] = comment.value.replace(/^[*\s]+/, '').split(/\s/, 1);
      if (!verb.test(first) || nouns.includes(first))
        context.report({ node, messageId: 'verbFirst' });
    },
  }),
};

/** Names the rule `docstrings/verb-first`, for oxlint. */
export default {
  meta: { name: 'docstrings' },
  rules: { 'verb-first': verbFirst },
} satisfies ESLint.Plugin;
