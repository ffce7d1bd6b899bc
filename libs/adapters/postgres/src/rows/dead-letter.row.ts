import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A rejected proposal, with the reason. Commits write it, by statements of their own. */
@Entity('dead_letter')
@Index('dead_letter_rejected', ['rejectedMs', 'topicId', 'partition', 'logOffset'])
@Index('dead_letter_waiting', ['partition', 'logOffset'], {
  where: 'code is not null and replayed_ms is null',
})
@Index('dead_letter_open', ['topicId', 'partition', 'logOffset'], {
  where: 'replayed_ms is null and discarded_ms is null',
})
export class DeadLetterRow {
  @Column('text', { default: '' }) readonly topic!: string;
  @PrimaryColumn('text', { default: '' }) readonly topicId!: string;
  @PrimaryColumn('integer') readonly partition!: number;
  @PrimaryColumn('bigint') readonly logOffset!: number;
  @Column('text') readonly reason!: string;
  @Column('text', { nullable: true }) readonly proposal!: string | null;
  @Column('bytea', { nullable: true }) readonly bytes!: Buffer | null;
  @Column('bigint') readonly rejectedMs!: number;

  /** Set where a later model may accept the proposal. */
  @Column('text', { nullable: true }) readonly code!: string | null;
  @Column('bigint', { nullable: true }) readonly replayedMs!: number | null;
  @Column('text', { nullable: true }) readonly cause!: string | null;
  @Column('bigint', { nullable: true }) readonly lastMs!: number | null;
  @Column('integer', { default: 1 }) readonly times!: number;
  @Column('bigint', { nullable: true }) readonly loggedMs!: number | null;
  @Column('bigint', { nullable: true }) readonly discardedMs!: number | null;
  @Column('text', { nullable: true }) readonly settledBy!: string | null;
}
