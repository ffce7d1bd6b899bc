import type { AccessLimits, Scope } from '@stratalog/domain';
import { Column, Entity, Index, PrimaryColumn, VirtualColumn } from 'typeorm';

/** A token that is in use all day is written this often. */
export const NOTE_EVERY = `interval '10 minutes'`;

/** A token of a client, with hashes of its secrets. */
@Entity('access_token')
@Index('access_token_created', ['created'])
export class AccessTokenRow {
  @PrimaryColumn('text') readonly id!: string;
  @Column('text') readonly name!: string;
  @Column('text') readonly actor!: string;
  @Column('text', { array: true }) readonly scopes!: readonly Scope[];
  @Column('jsonb', { default: {} }) readonly limits!: AccessLimits;
  @Column('boolean') readonly speaksForOthers!: boolean;
  @Column('bytea') readonly salt!: Buffer;
  @Column('bytea') readonly digest!: Buffer;
  @Column('bytea', { nullable: true }) readonly previousSalt!: Buffer | null;
  @Column('bytea', { nullable: true }) readonly previousDigest!: Buffer | null;
  @Column('timestamptz', { nullable: true }) readonly previousUntil!: Date | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) readonly created!: Date;
  @Column('text') readonly createdBy!: string;
  @Column('timestamptz', { nullable: true }) readonly expires!: Date | null;
  @Column('timestamptz', { nullable: true }) readonly revoked!: Date | null;
  @Column('timestamptz', { nullable: true }) readonly rotated!: Date | null;
  @Column('timestamptz', { nullable: true }) readonly lastUsed!: Date | null;
  @Column('boolean', { default: false }) readonly isSession!: boolean;

  /** By the server's clock, as the columns below. */
  @VirtualColumn('boolean', { query: (row) => `coalesce(${row}.expires <= clock_timestamp(), false)` })
  readonly isExpired!: boolean;

  @VirtualColumn('boolean', {
    query: (row) => `coalesce(${row}.last_used > clock_timestamp() - ${NOTE_EVERY}, false)`,
  })
  readonly isUseRecorded!: boolean;
}
