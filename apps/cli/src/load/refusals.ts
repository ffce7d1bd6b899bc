/** One refused record, as the file of refused records shows it. */
export interface Refusal {
  /** Place in the file, from 0. */
  readonly index: number;
  readonly entityUrn: string | null;
  readonly aspectName: string | null;
  /** HTTP status; null when the record was not sent. */
  readonly status: number | null;
  readonly reason: string;
}

export interface RefusalGroup {
  readonly aspectName: string;
  readonly reason: string;
  readonly count: number;
}

/** Reasons that quote values can all differ; beyond this many, counts are kept by aspect alone. */
const MAX_GROUPS = 1000;
const OTHER = 'other reasons';

/** Counts refusals by aspect and reason in bounded memory. */
export class RefusalTally {
  private readonly groups = new Map<string, { aspectName: string; reason: string; count: number }>();
  private count = 0;

  get total(): number {
    return this.count;
  }

  add(refusal: Refusal): void {
    this.count++;
    const aspectName = refusal.aspectName ?? '';
    const reason = withoutUrn(refusal);
    const known = this.groups.get(keyOf(aspectName, reason));
    if (known !== undefined) known.count++;
    else if (this.groups.size < MAX_GROUPS) this.open(aspectName, reason);
    else this.addOther(aspectName);
  }

  /** The most frequent first, then by aspect and reason. */
  sorted(): RefusalGroup[] {
    return [...this.groups.values()].sort(
      (a, b) => b.count - a.count || compare(a.aspectName, b.aspectName) || compare(a.reason, b.reason),
    );
  }

  private addOther(aspectName: string): void {
    const known = this.groups.get(keyOf(aspectName, OTHER));
    if (known === undefined) this.open(aspectName, OTHER);
    else known.count++;
  }

  private open(aspectName: string, reason: string): void {
    this.groups.set(keyOf(aspectName, reason), { aspectName, reason, count: 1 });
  }
}

/** The same fault of a thousand entities is one reason, so their names give way to a placeholder. */
function withoutUrn({ reason, entityUrn }: Refusal): string {
  return entityUrn === null || entityUrn === '' ? reason : reason.replaceAll(entityUrn, '<urn>');
}

function keyOf(aspectName: string, reason: string): string {
  return `${aspectName}\n${reason}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
