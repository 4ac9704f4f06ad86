/** Loaded before a relay: lets its machine's clock be wrong by CLOCK_AHEAD_MS. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const right = Date.now.bind(Date);
Date.now = () => right() + aheadMs;
const origin = performance.timeOrigin;
Object.defineProperty(performance, 'timeOrigin', { get: () => origin + aheadMs });
