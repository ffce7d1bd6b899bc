import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** When the last pass of retention over the store ended; one row. */
@Entity('retention_pass')
@Check('retention_pass_only_row_check', 'only_row')
export class RetentionPassRow {
  @PrimaryColumn('boolean', { default: true }) readonly onlyRow!: boolean;
  @Column('bigint', { default: 0 }) readonly finishedMs!: number;
}
