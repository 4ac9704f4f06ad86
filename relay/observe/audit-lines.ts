import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';

import { createLineBuffer } from '#relay/observe/line-buffer';
import type { Stored } from '#relay/store/index';

/** Takes rows for those who collect them elsewhere. The rows in the database stay the truth: what cannot be sent is lost. */
export interface AuditLines {
  readonly write: (row: Omit<Stored<'audit'>, 'id'>) => void;
  readonly close: () => void;
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
  // The socket alone must not keep the program running after a failed start.
  const socket = createSocket(to.hostname.startsWith('[') ? 'udp6' : 'udp4').unref();
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
