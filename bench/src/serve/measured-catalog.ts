import type { CpuCores, ResidentMb } from '../machine/process-usage';

/** A catalog as a measurement sees it, whatever its processes. */
export interface MeasuredCatalog {
  readonly url: string;
  /** Runs `work` and measures the processor use of each part of the catalog meanwhile. */
  watching<T>(name: string, work: () => Promise<T>): Promise<T & { readonly cpuCores?: CpuCores }>;
  residentMb(): ResidentMb | undefined;
}
