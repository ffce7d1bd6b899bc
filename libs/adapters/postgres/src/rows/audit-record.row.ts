import type { AuditOutcome } from '@stratalog/ports';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One call of an operator, or a rejected one. */
@Entity('audit_record')
@Index('audit_record_time', ['time'])
export class AuditRecordRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) readonly id!: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) readonly time!: Date;
  @Column('text') readonly actor!: string;
  @Column('text', { nullable: true }) readonly token!: string | null;
  @Column('text') readonly call!: string;

  /** JSON as text, because it may hold what jsonb cannot. */
  @Column('text') readonly parameters!: string;
  @Column('text') readonly outcome!: AuditOutcome;
  @Column('integer') readonly status!: number;
  @Column('integer') readonly durationMs!: number;
  @Column('text', { nullable: true }) readonly address!: string | null;
  @Column('integer', { default: 0 }) readonly omitted!: number;
}
