export {
  type Clock,
  clockToleranceMs,
  isFresh,
  trustedMoment,
  wasTurnedBack,
} from '#core/time/clock';
export { delay } from '#core/time/delay';
export {
  calendarDays,
  createZone,
  dayAt,
  durationBetween,
  isOtherClockThanUtc,
  isOtherDayThanUtc,
  type Zone,
} from '#core/time/duration';
export { type MomentFault, readMoment } from '#core/time/moment';
export {
  aroundMonth,
  daysAround,
  daysOfMonth,
  monthAt,
  monthsBetween,
  type TimeSpan,
} from '#core/time/month';
export { parseTimestamp } from '#core/time/timestamp';
export { dayMs, hourMs, minuteMs } from '#core/time/units';
