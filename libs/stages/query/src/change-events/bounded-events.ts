import { stringifyJson } from '@stratalog/json';
import type { ChangeEvent, ChangeGrade } from './change-event';

/**
 * Most that the events of one change take: those of a schema with thousands of columns. Each event repeats the urn, so a value of megabytes
 * could have events of gigabytes. **Units**: UTF-16 units of JSON, about.
 */
const MAX_LENGTH = 8 * 1024 * 1024;
/** Names of members, and what else each event has. */
const FRAME_LENGTH = 200;

/** The events of one change, as many as there is room for; the last one then tells how many are left out. */
export class BoundedEvents {
  private readonly kept: ChangeEvent[] = [];
  private length = 0;
  private omitted: { readonly first: ChangeEvent; count: number; grades: Set<ChangeGrade> } | undefined;

  add(event: ChangeEvent): void {
    if (this.omitted === undefined) {
      this.length += lengthOf(event);
      if (this.length <= MAX_LENGTH) {
        this.kept.push(event);
        return;
      }
      this.omitted = { first: event, count: 0, grades: new Set() };
    }
    this.omitted.count++;
    this.omitted.grades.add(event.grade);
  }

  /** `urn`: the changed entity. */
  list(urn: string): readonly ChangeEvent[] {
    if (this.omitted === undefined) return this.kept;
    const { first, count, grades } = this.omitted;
    return [
      ...this.kept,
      {
        category: first.category,
        operation: 'MODIFY',
        entityUrn: urn,
        grade: greatestOf(grades),
        description: `${String(count)} more events of this change of '${urn}' are left out.`,
        parameters: { omitted: count },
      },
    ];
  }
}

/** The greatest of some grades; `PATCH` for none. */
export function greatestOf(grades: ReadonlySet<ChangeGrade>): ChangeGrade {
  return grades.has('MAJOR') ? 'MAJOR' : grades.has('MINOR') ? 'MINOR' : 'PATCH';
}

/** About the length of the JSON of an event. */
export function lengthOf({ entityUrn, modifier = '', description, parameters }: ChangeEvent): number {
  const given = parameters === undefined ? 0 : stringifyJson(parameters).length;
  return FRAME_LENGTH + entityUrn.length + modifier.length + description.length + given;
}
