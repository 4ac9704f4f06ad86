import { type DestinationStream, type Logger, pino } from 'pino';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { CallKind } from '#core/marketplaces/asking';
import type { SignInFault } from '#relay/join/openid';
import { createLineBuffer, type LineBuffer } from '#relay/observe/line-buffer';
import type { Failure } from '#relay/rules/index';
import { version } from '#relay/version';

/** An answered call, without anything that identifies a customer or a key. */
export interface LoggedCall {
  readonly call?: CallKind;
  readonly connection?: string;
  readonly agent?: string;
  readonly token?: string;
  readonly status: number;
  readonly result: string;
  /** Why a seller cannot be reached, and Node's error code. */
  readonly cause?: NonNullable<Failure['cause']>['what'];
  readonly errorCode?: string;
  readonly milliseconds: number;
}

type JoinStep =
  | 'begun'
  | 'invite-refused'
  | SignInFault['kind']
  | 'no-agent'
  | 'confirmed'
  | 'not-confirmed'
  | 'joined'
  | 'left';

/**
 * Logs and counts what the relay does; calls, joins and sweeps report only here. The log has one JSON object per line. Labels of counts are
 * connections, calls and results, never a code, an agent or a token.
 */
export interface Observer {
  call(call: LoggedCall): void;
  /** Records that the store failed. Only the error's name and code are logged, since messages may quote values. */
  storeFault(during: string, error: unknown): void;
  /** Logs why a sign-in at the OpenID provider failed: the error's name and code, and the provider's own short code. */
  signInFault(error: unknown): void;
  join(result: JoinStep, agent?: string): void;
  event(
    name: 'started' | 'draining' | 'stopped' | 'disk-low' | 'audit-dropped' | 'audit-drop-refused',
    fields?: Readonly<Record<string, string | number>>,
  ): void;
  /** Counts a call to an upstream. @param result an HTTP status or a failure's kind */
  upstream(connection: string, call: CallKind, result: string): void;
  database(bytes: number): void;
  disk(freeBytes: number): void;
  page(): Promise<string>;
  readonly contentType: string;
}

const allowed = [
  'event version call connection agent token status result milliseconds cause during errorName errorCode',
  'port metricsPort freeBytes rows cut',
].flatMap((line) => line.split(' '));

type LogDestination = DestinationStream & Partial<LineBuffer>;

/** Writes to standard output, including lines that are still buffered at the end. */
function standardOutput(): LogDestination {
  const output = createLineBuffer(1);
  process.once('exit', () => {
    output.flushSync();
  });
  return output;
}

/**
 * Creates the observer. Only the fields listed here are ever logged: no header, no URL, no body, no message of an error.
 * All but calls are written at once.
 * @param level of `pino`; `silent` writes nothing
 */
export function createObserver(
  level: string,
  destination: LogDestination = standardOutput(),
): Observer {
  const options = { level, base: null, formatters: { log: onlyAllowed } };
  const logger: Logger = pino(options, destination);
  const urgent = (level: 'info' | 'error', fields: object): void => {
    logger[level](fields);
    destination.flushSync?.();
  };
  const { registry, answered, seconds, upstream, storeFaults, joins, lateGauge } = createCounts();
  return {
    call: (call) => {
      logger.info({ event: 'call', ...call });
      const about = call.call ?? 'none';
      answered.inc({ call: about, result: call.result });
      seconds.observe({ call: about }, call.milliseconds / 1000);
    },
    storeFault: (during, error) => {
      urgent('error', { event: 'store-fault', during, ...namesOf(error) });
      storeFaults.inc();
    },
    signInFault: (error) => {
      const reason = error instanceof Error && 'error' in error ? error.error : undefined;
      const isCode = typeof reason === 'string' && /^[a-z_]{1,40}$/.test(reason);
      const result = isCode ? reason : undefined;
      urgent('error', { event: 'sign-in-fault', ...namesOf(error), result });
    },
    join: (result, agent) => {
      urgent('info', { event: 'join', result, agent });
      joins.inc({ result });
    },
    event: (event, fields) => {
      urgent(event === 'disk-low' ? 'error' : 'info', { event, ...fields });
    },
    upstream: (connection, call, result) => {
      upstream.inc({ connection, call, result });
    },
    database: lateGauge('database_bytes', 'Bytes that the database takes'),
    disk: lateGauge('disk_free_bytes', 'Free bytes where the database lies'),
    page: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function createCounts() {
  const registry = new Registry();
  const about = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    return { name: `counterfoil_relay_${name}`, help, labelNames, registers: [registry] };
  };
  new Gauge(about('info', 'The version of the program', 'version')).set({ version }, 1);
  const answered = new Counter(
    about('calls_total', 'Calls of agents that were answered', 'call', 'result'),
  );
  const seconds = new Histogram({
    ...about('call_seconds', 'Time from a call of an agent to its answer', 'call'),
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
  });
  const upstream = new Counter(
    about('upstream_calls_total', 'Calls to upstreams that ended', 'connection', 'call', 'result'),
  );
  const storeFaults = new Counter(about('store_faults_total', 'Failures of the database'));
  const joins = new Counter(about('joins_total', 'Steps of agents who join', 'result'));
  /** A gauge that appears only when its value is known, since it would start at 0, which is an alarm. */
  const lateGauge = (name: string, help: string) => {
    const gauge = new Gauge({ ...about(name, help), registers: [] });
    return (bytes: number): void => {
      registry.registerMetric(gauge);
      gauge.set(bytes);
    };
  };
  return { registry, answered, seconds, upstream, storeFaults, joins, lateGauge };
}

function namesOf(error: unknown): object {
  if (!(error instanceof Error)) return {};
  return { errorName: error.name, errorCode: (error as NodeJS.ErrnoException).code };
}

function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => allowed.includes(name) && ['string', 'number'].includes(typeof value),
    ),
  );
}
