import type { ErrorCode, TaskLogEntry, TaskState } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Long work that a process runs under a lease. Runners claim and record it by statements of their own. */
@Entity('task')
@Index('task_active', ['kind', 'parametersDigest'], { unique: true, where: 'ended is null' })
@Index('task_kind', ['kind', 'id'])
@Index('task_ended', ['ended'], { where: 'ended is not null' })
export class TaskRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) readonly id!: number;
  @Column('text') readonly kind!: string;
  @Column('jsonb') readonly parameters!: JsonObject;
  @Column('text') readonly parametersDigest!: string;
  @Column('text', { array: true, default: [] }) readonly subjects!: readonly string[];
  @Column('text') readonly actor!: string;
  @Column('text', { default: 'queued' }) readonly state!: TaskState;
  @Column('jsonb', { nullable: true }) readonly checkpoint!: JsonObject | null;
  @Column('bigint', { default: 0 }) readonly done!: number;
  @Column('bigint', { nullable: true }) readonly total!: number | null;
  @Column('bigint', { default: 0 }) readonly workedMs!: number;
  @Column('text', { nullable: true }) readonly owner!: string | null;
  @Column('bigint', { default: 0 }) readonly fence!: number;
  @Column('timestamptz', { nullable: true }) readonly leaseUntil!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) readonly created!: Date;
  @Column('timestamptz', { nullable: true }) readonly started!: Date | null;
  @Column('timestamptz', { nullable: true }) readonly ended!: Date | null;
  @Column('jsonb', { nullable: true }) readonly outcome!: JsonObject | null;
  @Column('text', { nullable: true }) readonly reason!: string | null;
  @Column('text', { nullable: true }) readonly failure!: ErrorCode | null;
  @Column('jsonb', { default: [] }) readonly log!: readonly TaskLogEntry[];
}
