import type { BuildCheckpoint } from '@stratalog/ports';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A version of one kind of index. */
export abstract class IndexVersionRow {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' }) readonly indexVersion!: number;
  @Column('text') readonly storeId!: string;
  @Column('integer') readonly epoch!: number;
  @Column('text') readonly mapping!: string;

  /** The table layout of the adapter that made the index. */
  @Column('integer') readonly layout!: number;
  @Column('boolean', { default: false }) readonly live!: boolean;

  /** When the next version was activated; queries that started before may read this one for a moment. */
  @Column('bigint', { nullable: true }) readonly retiredMs!: number | null;

  /** True when a new version was requested in place of this one. */
  @Column('boolean', { default: false }) readonly outdated!: boolean;

  /** True while the build of that new version is on hold. */
  @Column('boolean', { default: false }) readonly held!: boolean;

  /** While it is built: the number of projected entities, and of all. */
  @Column('bigint', { nullable: true }) readonly done!: number | null;
  @Column('bigint', { nullable: true }) readonly total!: number | null;

  /** Where another process continues the build. */
  @Column('jsonb', { nullable: true }) readonly resume!: BuildCheckpoint | null;

  /** Number of heartbeats of the processes that built the index, and the process that builds it. */
  @Column('bigint', { default: 0 }) readonly heartbeats!: number;
  @Column('text', { nullable: true }) readonly builder!: string | null;
}

@Entity('search_index_version')
@Index('search_index_version_live', ['live'], { unique: true, where: 'live' })
export class SearchIndexVersionRow extends IndexVersionRow {}

@Entity('graph_index_version')
@Index('graph_index_version_live', ['live'], { unique: true, where: 'live' })
export class GraphIndexVersionRow extends IndexVersionRow {}
