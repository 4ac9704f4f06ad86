/** The browser's `alarms`, as far as it is used. */
interface AlarmsApi {
  create(name: string, alarm: { when: number }): Promise<void> | void;
  readonly onAlarm: { addListener(listener: (alarm: { name: string }) => void): void };
}

/** Clocks that ring even when the worker was stopped meanwhile. */
export interface Alarms<Name extends string> {
  /** Sets or moves the one clock of this name. Browsers ring no sooner than half a minute from now. */
  scheduleAlarm(name: Name, moment: number): Promise<void>;
  /** Registers at once, so that a ring may start the worker. */
  onRing(alarmHandlers: Readonly<Record<Name, () => void>>): void;
}

export function createAlarms<Name extends string>(api: AlarmsApi): Alarms<Name> {
  return {
    async scheduleAlarm(name, moment) {
      await api.create(name, { when: moment });
    },
    onRing(alarmHandlers) {
      api.onAlarm.addListener(({ name }) => {
        if (Object.hasOwn(alarmHandlers, name)) alarmHandlers[name as Name]();
      });
    },
  };
}
