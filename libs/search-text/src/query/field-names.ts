import type { SearchField } from '@stratalog/model';

/** Finds the field of a name in a query: by the exact name, then by alias, then ignoring case. */
export class FieldNames {
  private readonly exact = new Map<string, SearchField>();
  private readonly anyCase = new Map<string, SearchField>();

  constructor(fields: ReadonlyMap<string, SearchField>) {
    for (const [name, field] of fields) this.exact.set(name, field);
    for (const field of fields.values()) {
      for (const name of [field.name, ...field.aliases]) {
        if (!this.exact.has(name)) this.exact.set(name, field);
      }
    }
    for (const [name, field] of this.exact) {
      const lower = name.toLowerCase();
      if (!this.anyCase.has(lower)) this.anyCase.set(lower, field);
    }
  }

  find(name: string): SearchField | undefined {
    return this.exact.get(name) ?? this.anyCase.get(name.toLowerCase());
  }
}
