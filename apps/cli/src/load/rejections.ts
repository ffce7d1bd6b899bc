/** One rejected record, as the file of rejected records shows it. */
export interface Rejection {
  /** Index in the file, from 0. */
  readonly index: number;
  readonly entityUrn: string | null;
  readonly aspectName: string | null;
  /** HTTP status; null when the record was not sent. */
  readonly status: number | null;
  readonly reason: string;
}

export interface RejectionGroup {
  readonly aspectName: string;
  readonly reason: string;
  readonly count: number;
}

/** Reasons that quote values can all differ; beyond this many, counts are kept by aspect alone. */
const MAX_GROUPS = 1000;
const OTHER = 'other reasons';

/** Counts rejections by aspect and reason in bounded memory. */
export class RejectionTally {
  private readonly groups = new Map<string, { aspectName: string; reason: string; count: number }>();
  private count = 0;

  get total(): number {
    return this.count;
  }

  add(rejection: Rejection): void {
    this.count++;
    const aspectName = rejection.aspectName ?? '';
    const reason = withoutUrn(rejection);
    const known = this.groups.get(keyOf(aspectName, reason));
    if (known !== undefined) known.count++;
    else if (this.groups.size < MAX_GROUPS) this.open(aspectName, reason);
    else this.addOther(aspectName);
  }

  /** The most frequent first, then by aspect and reason. */
  sorted(): RejectionGroup[] {
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

/**
 * Replaces the urn in a reason with a placeholder, so that the same fault of a thousand entities is one
 * reason.
 */
function withoutUrn({ reason, entityUrn }: Rejection): string {
  return entityUrn === null || entityUrn === '' ? reason : reason.replaceAll(entityUrn, '<urn>');
}

function keyOf(aspectName: string, reason: string): string {
  return `${aspectName}\n${reason}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
