import type { Standing } from '#core/license/standing';
import type { TransitionId } from '#core/rehearsal/transitions';

/** Gives the size of the state diagram. The whole layout is in the units of its view box. */
export const board = { width: 760, height: 372 } as const;
export const box = { width: 136, height: 46 } as const;

/** Gives the centre of each standing's box. */
export const places: Readonly<Record<Standing, readonly [x: number, y: number]>> = {
  'not-activated': [84, 78],
  activated: [352, 78],
  'validation-due': [660, 78],
  grace: [506, 200],
  denied: [506, 326],
};

/** Holds an arrow's path and the position of its label. */
export interface Arrow {
  readonly path: string;
  readonly text: readonly [x: number, y: number, anchor: 'start' | 'middle' | 'end'];
}

export const arrows: Readonly<Record<TransitionId, Arrow>> = {
  activate: { path: 'M152 78H282', text: [217, 70, 'middle'] },
  'activate-fails': { path: 'M58 55C50 14 118 14 110 53', text: [84, 17, 'middle'] },
  use: { path: 'M326 55C318 14 386 14 378 53', text: [352, 17, 'middle'] },
  due: { path: 'M420 68H590', text: [505, 60, 'middle'] },
  validate: { path: 'M592 88H422', text: [507, 104, 'middle'] },
  unreached: { path: 'M650 101L562 175', text: [616, 154, 'start'] },
  'turned-back': { path: 'M534 177L622 103', text: [566, 138, 'end'] },
  recover: { path: 'M466 177L388 103', text: [418, 152, 'end'] },
  'grace-ends': { path: 'M494 223V301', text: [486, 266, 'end'] },
  'refuse-in-grace': { path: 'M518 223V301', text: [526, 266, 'start'] },
  refuse: { path: 'M700 101C708 220 672 300 576 318', text: [680, 236, 'end'] },
  overslept: { path: 'M718 101C750 250 706 342 576 335', text: [702, 340, 'start'] },
  return: { path: 'M438 326C350 322 318 210 338 103', text: [352, 292, 'end'] },
};
