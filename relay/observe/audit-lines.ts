import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';

import { omitUndefined } from '#core/result';
import { createLineBuffer } from '#relay/observe/line-buffer';
import type { Store, Stored } from '#relay/store/index';

/** Takes rows for those who collect them elsewhere. The rows in the database stay the truth: what cannot be sent is lost. */
export interface AuditLines {
  write(row: Omit<Stored<'audit'>, 'id'>): void;
  close(): void;
}

/** Facility 13, log audit, at the severity of a notice (RFC 5424, 6.2.1). */
const priority = 13 * 8 + 5;

/**
 * Creates what writes rows as JSON lines.
 * @param to `stdout`, or the address of a syslog that takes UDP (RFC 5426)
 */
export function createAuditLines(to: 'stdout' | URL): AuditLines {
  const textOf = ({ at, ...row }: Omit<Stored<'audit'>, 'id'>): string =>
    JSON.stringify({ event: 'audit', at: new Date(at).toISOString(), ...row });
  if (to === 'stdout') {
    const output = createLineBuffer(1);
    return {
      write: (row) => {
        output.write(`${textOf(row)}\n`);
      },
      close: () => {
        output.flushSync();
      },
    };
  }
  const socket = createSocket(to.hostname.startsWith('[') ? 'udp6' : 'udp4');
  // A collector that is gone must not end the relay.
  socket.on('error', () => undefined);
  const host = to.hostname.replaceAll(/[[\]]/g, '');
  return {
    write: (row) => {
      const head = `<${String(priority)}>1 ${new Date(row.at).toISOString()} ${hostname()} counterfoil-relay ${String(process.pid)} audit - `;
      socket.send(head + textOf(row), Number(to.port || 514), host);
    },
    close: () => {
      socket.close();
    },
  };
}

/** Returns the store, with a line for each row that it has committed while it serves. What `admin` commands change has rows alone. */
export function withAuditLines(store: Store, lines: AuditLines): Store {
  const note = (
    kind: Stored<'audit'>['kind'],
    result: string,
    subject: Partial<Stored<'auditSubject'> & Pick<Stored<'audit'>, 'actor'>>,
  ): void => {
    lines.write({ at: store.clocks.now(), kind, result, ...subject });
  };
  return {
    ...store,
    takeSlot: async (request) => {
      const answer = await store.takeSlot(request);
      if (answer.granted) note('intent', request.bulk ? 'bulk' : 'interactive', request.subject);
      return answer;
    },
    reportCall: async (report) => {
      await store.reportCall(report);
      note('outcome', report.result, report.subject);
    },
    release: async (subject, result, begin) => {
      const released = await store.release(subject, result, begin).catch((error: unknown) => {
        note('reply', 'not-begun', subject);
        throw error;
      });
      note('reply', released === 'withheld' ? released : result, subject);
      return released;
    },
    followGroups: async (agent, role) => {
      const changed = await store.followGroups(agent, role);
      if (changed) note('admin', 'agent-role-set', { agent, actor: 'sign-in' });
      return changed;
    },
    confirmJoin: async (id, code) => {
      const join = await store.findJoin(id);
      const confirmed = await store.confirmJoin(id, code);
      const { agent, invite } = join ?? {};
      if (confirmed && agent !== undefined) {
        note('admin', `join-confirmed-by-${invite === undefined ? 'sign-in' : 'invite'}`, {
          agent,
        });
      }
      return confirmed;
    },
    redeemCode: async (code, challenge, token, browser) => {
      const agent = await store.redeemCode(code, challenge, token, browser);
      const actor = omitUndefined({ actor: browser });
      if (agent) note('admin', 'joined', { agent: agent.id, token: token.id, ...actor });
      return agent;
    },
    revokeToken: async (id) => {
      const revoked = await store.revokeToken(id);
      if (revoked) note('admin', 'token-revoked', { token: id });
      return revoked;
    },
    countMonth: async (month, reader) => {
      const count = await store.countMonth(month, reader);
      if (reader) note('admin', `report-read-${month}`, reader);
      return count;
    },
    dropOldAudit: async () => {
      const rows = await store.dropOldAudit();
      if (rows > 0) note('admin', 'audit-dropped', { actor: 'retention' });
      return rows;
    },
  };
}
