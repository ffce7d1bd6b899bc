import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The model at the time when the stored values were last accepted; one row. */
@Entity('store_model')
@Check('store_model_only_row_check', 'only_row')
export class StoreModelRow {
  @PrimaryColumn('boolean', { default: true }) readonly onlyRow!: boolean;
  @Column('text') readonly fingerprint!: string;
  @Column('text') readonly shape!: string;
}
