import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';

/** A schema of encoded records. Records outside the store name it by its id, so none is ever removed. */
@Entity('registered_schema')
@Check('registered_schema_id_check', 'id > 0')
@Unique(['fingerprint'])
export class RegisteredSchemaRow {
  @PrimaryColumn('integer') readonly id!: number;
  @Column('text') readonly fingerprint!: string;
  @Column('text') readonly schemaText!: string;
}

/** A schema as a version of a subject. */
@Entity('schema_subject')
@Unique(['subject', 'schema'])
export class SchemaSubjectRow {
  @PrimaryColumn('text') readonly subject!: string;
  @PrimaryColumn('integer') readonly version!: number;

  @ManyToOne(() => RegisteredSchemaRow, { nullable: false })
  @JoinColumn()
  @Index('schema_subject_schema')
  readonly schema!: RegisteredSchemaRow;
}
