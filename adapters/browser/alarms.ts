/** The part of the browser's `alarms` that is used. */
interface AlarmsApi {
  get(name: string): Promise<{ scheduledTime: number } | undefined>;
  create(name: string, alarm: { when: number }): Promise<void> | void;
  readonly onAlarm: { addListener(listener: (alarm: { name: string }) => void): void };
}

/** Sets alarms of the browser, which start a stopped worker. */
export interface Alarms<Name extends string> {
  /** Sets or moves the alarm of this name. Browsers fire it after half a minute at the earliest. */
  scheduleAlarm(name: Name, moment: number): Promise<void>;
  /**
   * Sets the alarm of this name, unless one is already set to fire no later. Moving it each time would postpone it for
   * ever.
   */
  ensureAlarm(name: Name, moment: number): Promise<void>;
  /**
   * Registers the handlers; call it synchronously, so that an alarm can start the worker.
   * @param report called with the promise of each started handler
   */
  onAlarm(
    alarmHandlers: Readonly<Record<Name, () => Promise<void>>>,
    report: (task: Promise<void>) => void,
  ): void;
}

export function createAlarms<Name extends string>(api: AlarmsApi): Alarms<Name> {
  return {
    async scheduleAlarm(name, moment) {
      await api.create(name, { when: moment });
    },
    async ensureAlarm(name, moment) {
      const present = await api.get(name);
      if (present === undefined || present.scheduledTime > moment)
        await api.create(name, { when: moment });
    },
    onAlarm(alarmHandlers, report) {
      api.onAlarm.addListener(({ name }) => {
        if (Object.hasOwn(alarmHandlers, name)) report(alarmHandlers[name as Name]());
      });
    },
  };
}
