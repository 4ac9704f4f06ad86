import * as agents from '#relay/admin/agents';
import { dropAudit, findInAudit, keepAudit, printAudit, rotateMasterKey } from '#relay/admin/audit';
import type { Command } from '#relay/admin/command';
import { importAgents } from '#relay/admin/agents-import';
import * as connections from '#relay/admin/connections';
import * as invites from '#relay/admin/invites';
import { printReport, printReportTakes } from '#relay/admin/report';
import { draftTeamSettings, setTeamSettings, showTeamSettings } from '#relay/admin/team-settings';

/** Describes a command that works on the relay's database. */
interface CommandEntry {
  readonly run: Command;
  /** What follows its name. */
  readonly takes: string;
  /** Set where the command may be the first one, so that an embedded database is made for it. */
  readonly begins?: true;
}

const month = 'YYYY-MM';

/** Lists the commands by their names. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  'connections list': { run: connections.listConnections, takes: '' },
  'connections add': {
    run: connections.addConnection,
    takes: connections.addConnectionTakes,
    begins: true,
  },
  'connections edit': { run: connections.editConnection, takes: connections.editConnectionTakes },
  'connections remove': { run: connections.removeConnection, takes: 'ID' },
  'keys set': { run: connections.setKey, takes: connections.setKeyTakes },
  'roles list': { run: agents.listRoles, takes: '' },
  'roles set': { run: agents.setRole, takes: agents.setRoleTakes, begins: true },
  'quotas list': { run: agents.listQuotas, takes: '' },
  'quotas set': { run: agents.setQuota, takes: agents.setQuotaTakes },
  'agents list': { run: agents.listAgents, takes: '' },
  'agents add': { run: agents.addAgent, takes: 'EMAIL [--role ROLE]', begins: true },
  'agents import': { run: importAgents, takes: 'FILE [--out FILE]', begins: true },
  'agents role': { run: agents.setAgentRole, takes: 'EMAIL ROLE' },
  'agents identify': { run: agents.identifyAgent, takes: 'EMAIL TENANT/OBJECT' },
  'agents remove': { run: agents.removeAgent, takes: 'EMAIL' },
  'invites list': { run: invites.listInvites, takes: '' },
  'invites add': { run: invites.addInvite, takes: 'EMAIL' },
  'invites revoke': { run: invites.revokeInvites, takes: 'EMAIL' },
  'invites redeem': { run: invites.redeemInvite, takes: '< FILE' },
  'tokens list': { run: agents.listTokens, takes: '' },
  'tokens revoke': { run: agents.revokeToken, takes: 'ID' },
  'settings draft': { run: draftTeamSettings, takes: '> FILE' },
  'settings set': { run: setTeamSettings, takes: '[--new-signer] < FILE', begins: true },
  'settings show': { run: showTeamSettings, takes: '' },
  'audit csv': { run: printAudit, takes: `[--month ${month}] > FILE` },
  'audit find': { run: findInAudit, takes: `[--month ${month}] < FILE` },
  'audit drop': { run: dropAudit, takes: `--before ${month}` },
  'audit keep': { run: keepAudit, takes: '[MONTHS|all]', begins: true },
  report: { run: printReport, takes: printReportTakes },
  'master-key rotate': { run: rotateMasterKey, takes: '' },
};

/** Says how each command is called. */
export function usage(): string {
  const lines = Object.entries(commands).map(([name, { takes }]) => `${name} ${takes}`.trimEnd());
  return [
    'admin commands:',
    'master-key create FILE',
    'database prepare --runner ROLE',
    'database move FILE',
    lines.join('\n  '),
  ].join('\n  ');
}
