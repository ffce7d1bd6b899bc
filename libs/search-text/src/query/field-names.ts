import { propertyField, type SearchField } from '@stratalog/domain';

/** Finds the field of a name in a query: by the exact name, then by alias, then ignoring case; or the field of a structured property. */
export class FieldNames {
  private static readonly known = new WeakMap<ReadonlyMap<string, SearchField>, FieldNames>();

  private readonly exact = new Map<string, SearchField>();
  private readonly anyCase = new Map<string, SearchField>();

  /** Returns the names of fields that do not change. A model has some hundred, which every query of a type shares. */
  static of(fields: ReadonlyMap<string, SearchField>): FieldNames {
    const known = this.known.get(fields) ?? new FieldNames(fields);
    this.known.set(fields, known);
    return known;
  }

  private constructor(fields: ReadonlyMap<string, SearchField>) {
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
    return this.exact.get(name) ?? this.anyCase.get(name.toLowerCase()) ?? propertyField(name);
  }
}
