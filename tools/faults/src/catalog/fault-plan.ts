import type { SeededRandom } from '@stratalog/harness';

/** The targets of `kill -9`. */
export const VICTIMS = ['catalog', 'catalog-and-postgres', 'postgres', 'session'] as const;
export type Victim = (typeof VICTIMS)[number];

/** The actions of one round on the catalog. Times are milliseconds. */
export type RoundPlan = {
  /** How long the writers write before the kill. */
  readonly loadMs: number;
  /** True when the catalog has the second model afterwards, and so another index. */
  readonly secondModel: boolean;
} & (
  | { readonly moment: 'under-load'; readonly victim: Victim }
  /** After a first kill the catalog is killed again, this long after its start. */
  | { readonly moment: 'start-up'; readonly victim: CatalogVictim; readonly startedMs: number }
  /**
   * After a first kill it is started with the other model, and killed again this long after its index build
   * was seen.
   */
  | { readonly moment: 'index-build'; readonly victim: CatalogVictim; readonly buildingMs: number }
);
type CatalogVictim = 'catalog' | 'catalog-and-postgres';

const MOMENTS = { 'under-load': 70, 'start-up': 15, 'index-build': 15 };
const UNDER_LOAD = { catalog: 50, 'catalog-and-postgres': 20, postgres: 15, session: 15 };
const DURING_START = { catalog: 65, 'catalog-and-postgres': 35 };
/** From the very beginning to a little after the usual end. */
export const START_UP_MS = 1_500;
/** Most choices are short, because a small index is built soon; some are long enough for a large one. */
const BUILDING_MS = 2_000;
const SWITCH_BACK = 0.5;

/** Chooses the plan of one round; `secondModel` says which model the catalog has now. */
export function planRound(random: SeededRandom, roundMs: number, secondModel: boolean): RoundPlan {
  const loadMs = random.integer(Math.ceil(roundMs / 10), roundMs);
  const moment = random.weighted(MOMENTS);
  switch (moment) {
    case 'under-load':
      return { moment, loadMs, secondModel, victim: random.weighted(UNDER_LOAD) };
    case 'start-up': {
      const victim = random.weighted(DURING_START);
      return { moment, loadMs, secondModel, victim, startedMs: random.integer(0, START_UP_MS) };
    }
    case 'index-build': {
      const victim = random.weighted(DURING_START);
      const keep = !random.chance(SWITCH_BACK);
      return {
        moment,
        loadMs,
        secondModel: keep ? !secondModel : secondModel,
        victim,
        buildingMs: Math.floor(BUILDING_MS ** random.fraction()),
      };
    }
  }
}
