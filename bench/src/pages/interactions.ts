import type { Page } from 'playwright-core';

/** Something that a person does on a page, and what answers it. */
export interface Interaction {
  readonly name: string;
  /** The address at which it begins; the argument is that of a table's page. */
  readonly path: (table: string) => string;
  /** Brings the page to the moment before. */
  readonly prepare: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<void>;
  /** What is on the page with the answer, and not before. */
  readonly answer: string;
  readonly atMostMs: number;
}

const BOX = '[aria-label="Search the catalog"]';
/** The box asks once no key was pressed for this time. */
const TYPING_PAUSE_MS = 120;

export const INTERACTIONS: readonly Interaction[] = [
  {
    name: 'Enter to results',
    path: () => '/ui/search?q=scanner',
    prepare: async (page) => {
      await page.locator('[aria-label=Results] ul > li').first().waitFor();
      await page.locator(`header ${BOX}`).fill('net revenue');
      await page.locator('[role=option]').first().waitFor();
    },
    act: (page) => page.keyboard.press('Control+Enter'),
    answer: '[aria-label=Results] a[href*="mart.sales_daily"]',
    atMostMs: 150,
  },
  {
    name: 'text to suggestions',
    path: () => '/ui/',
    prepare: async (page) => {
      await page.locator('main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.locator(BOX).first().focus();
    },
    act: (page) => page.keyboard.insertText('sales_da'),
    answer: '[role=group][aria-label=Entities] [role=option]',
    atMostMs: TYPING_PAUSE_MS + 100,
  },
  {
    name: 'click to tab',
    path: (table) => table,
    prepare: async (page) => {
      await page.locator('nav[aria-label="About this entity"] a').first().waitFor();
      await page.waitForLoadState('networkidle');
    },
    act: (page) => page.locator('nav[aria-label="About this entity"] a', { hasText: 'Columns' }).click(),
    answer: '[aria-label="Filter the columns"]',
    atMostMs: 50,
  },
];

/** Resolves with the time from the key or the click to the frame after the answer. **Units**: milliseconds. */
export async function timeInteraction(page: Page, { prepare, act, answer }: Interaction): Promise<number> {
  await prepare(page);
  if ((await page.locator(answer).count()) > 0) throw new Error(`${answer} is on the page already`);
  await page.evaluate(watchFor, answer);
  await act(page);
  return page.evaluate(() => (globalThis as unknown as Watching).answered);
}

/** The part of a browser's window that the function below uses. */
interface Watching {
  answered: Promise<number>;
  readonly document: { querySelector(selector: string): unknown };
  readonly MutationObserver: new (onChange: () => void) => {
    observe(target: unknown, options: object): void;
    disconnect(): void;
  };
  addEventListener(type: string, listener: (event: Event) => void, isCapturing: true): void;
  requestAnimationFrame(then: (now: number) => void): void;
}

/** Runs in the page: its own clock counts, so that no message between the processes is measured. */
function watchFor(selector: string): void {
  const window = globalThis as unknown as Watching;
  window.answered = new Promise((resolve) => {
    let beganAt: number | undefined;
    const types = ['keydown', 'input', 'pointerdown'];
    for (const type of types)
      window.addEventListener(
        type,
        ({ timeStamp }) => {
          beganAt ??= timeStamp;
        },
        true,
      );
    const observer = new window.MutationObserver(() => {
      if (beganAt === undefined || window.document.querySelector(selector) === null) return;
      observer.disconnect();
      const since = beganAt;
      window.requestAnimationFrame((now) => {
        resolve(now - since);
      });
    });
    observer.observe(window.document, { childList: true, subtree: true, attributes: true });
  });
}
