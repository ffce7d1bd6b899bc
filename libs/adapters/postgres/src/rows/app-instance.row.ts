import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

/** A running process of a catalog, as it last reported itself. */
@Entity('app_instance')
export class AppInstanceRow {
  @PrimaryColumn('text') readonly id!: string;
  @Column('text') readonly app!: string;
  @Column('text', { array: true }) readonly roles!: readonly string[];
  @Column('text') readonly address!: string;
  @Column('text') readonly host!: string;
  @Column('integer') readonly pid!: number;
  @Column('text') readonly version!: string;
  @Column('text') readonly status!: string;
  @Column('jsonb') readonly lag!: Readonly<Record<string, number>>;

  /** When it last reported, by the server's clock. */
  @Column('timestamptz', { select: false }) readonly seen!: Date;

  @VirtualColumn('bigint', {
    query: (row) => `round(abs(extract(epoch from now() - ${row}.seen)) * 1000)::bigint`,
  })
  readonly seenMsAgo!: number;
}
