import { DefaultNamingStrategy, type Table } from 'typeorm';
import { AccessTokenRow } from './access-token.row';
import { AppInstanceRow } from './app-instance.row';
import { AuditRecordRow } from './audit-record.row';
import { DeadLetterRow } from './dead-letter.row';
import { GraphIndexVersionRow, SearchIndexVersionRow } from './index-version.row';
import { RetentionPassRow } from './retention-pass.row';
import { RegisteredSchemaRow, SchemaSubjectRow } from './schema.row';
import { StoreModelRow } from './store-model.row';
import { TaskRow } from './task.row';

/** Every table that TypeORM maps: small ones whose rows are looked up and listed, and written one at a time. */
export const ROWS = [
  AccessTokenRow,
  AppInstanceRow,
  AuditRecordRow,
  DeadLetterRow,
  GraphIndexVersionRow,
  RegisteredSchemaRow,
  RetentionPassRow,
  SchemaSubjectRow,
  SearchIndexVersionRow,
  StoreModelRow,
  TaskRow,
];

/** Names columns in snake case, and constraints as PostgreSQL itself names those of the migrations. */
export class PostgresNames extends DefaultNamingStrategy {
  override columnName(property: string, given?: string): string {
    return given ?? toSnakeCase(property);
  }

  override joinColumnName(relation: string, referenced: string): string {
    return toSnakeCase(`${relation}_${referenced}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: readonly string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: readonly string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
