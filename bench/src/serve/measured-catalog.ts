import type { CpuCores, ResidentMb } from '../machine/process-usage';

/** A catalog as a measurement sees it, whatever it consists of. */
export interface MeasuredCatalog {
  readonly url: string;
  /** Runs `work` and tells which parts of the catalog used the processor meanwhile, and how much. */
  watching<T>(name: string, work: () => Promise<T>): Promise<T & { readonly cpuCores?: CpuCores }>;
  residentMb(): ResidentMb | undefined;
}
