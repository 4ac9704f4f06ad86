import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Question } from '#core/marketplaces/marketplace';
import { version } from '#relay/version';
import type { JoinStep, RelayLog } from '#relay/observe/log';

/** Counts what the relay does. Labels name connections, calls and results, never a code, an agent or a token. */
export interface RelayMetrics {
  /** @param result `asked`, `shared`, `cached` or a failure's kind */
  answered(call: Question | 'none', result: string, milliseconds: number): void;
  /** @param result an HTTP status or a failure's kind */
  upstream(connection: string, call: Question, result: string): void;
  storeFault(): void;
  joined(result: JoinStep): void;
  /** Sets the bytes that the database takes. */
  database(bytes: number): void;
  /** Sets the free bytes where the database lies. */
  disk(freeBytes: number): void;
  /** Returns the page that Prometheus reads. */
  page(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics(): RelayMetrics {
  const registers = [new Registry()] as const;
  const [registry] = registers;
  new Gauge({
    name: 'counterfoil_relay_info',
    help: 'The version of the program',
    labelNames: ['version'],
    registers: [...registers],
  }).set({ version }, 1);
  const answered = new Counter({
    name: 'counterfoil_relay_calls_total',
    help: 'Calls of agents that were answered',
    labelNames: ['call', 'result'],
    registers: [...registers],
  });
  const seconds = new Histogram({
    name: 'counterfoil_relay_call_seconds',
    help: 'Time from a call of an agent to its answer',
    labelNames: ['call'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
    registers: [...registers],
  });
  const upstream = new Counter({
    name: 'counterfoil_relay_upstream_calls_total',
    help: 'Calls to upstreams that ended',
    labelNames: ['connection', 'call', 'result'],
    registers: [...registers],
  });
  const storeFaults = new Counter({
    name: 'counterfoil_relay_store_faults_total',
    help: 'Failures of the database',
    registers: [...registers],
  });
  const joins = new Counter({
    name: 'counterfoil_relay_joins_total',
    help: 'Steps of agents who join',
    labelNames: ['result'],
    registers: [...registers],
  });
  const database = new Gauge({
    name: 'counterfoil_relay_database_bytes',
    help: 'Bytes that the database takes',
    registers: [...registers],
  });
  const disk = new Gauge({
    name: 'counterfoil_relay_disk_free_bytes',
    help: 'Free bytes where the database lies',
    registers: [...registers],
  });
  return {
    answered: (call, result, milliseconds) => {
      answered.inc({ call, result });
      seconds.observe({ call }, milliseconds / 1000);
    },
    upstream: (connection, call, result) => {
      upstream.inc({ connection, call, result });
    },
    storeFault: () => {
      storeFaults.inc();
    },
    joined: (result) => {
      joins.inc({ result });
    },
    database: (bytes) => {
      database.set(bytes);
    },
    disk: (freeBytes) => {
      disk.set(freeBytes);
    },
    page: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Logs and counts that the store failed. @param during what was asked of it */
export function noteStoreFault(
  { log, metrics }: { readonly log: RelayLog; readonly metrics: RelayMetrics },
  during: string,
  error: unknown,
): void {
  log.storeFault(during, error);
  metrics.storeFault();
}

/** Logs and counts a step of a join. @param agent the agent's id; it stands in the log alone */
export function noteJoin(
  { log, metrics }: { readonly log: RelayLog; readonly metrics: RelayMetrics },
  step: JoinStep,
  agent?: string,
): void {
  log.join(step, agent);
  metrics.joined(step);
}
