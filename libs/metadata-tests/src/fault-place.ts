import type { MemberFault } from '@stratalog/domain';
import { MAX_FAULTS } from './limits';

/** A place in a definition that notes faults. All places of a definition share one list. */
export class FaultPlace {
  private constructor(
    readonly path: string,
    readonly faults: MemberFault[],
  ) {}

  static root(): FaultPlace {
    return new FaultPlace('', []);
  }

  at(member: string | number): FaultPlace {
    const name = String(member).replaceAll('~', '~0').replaceAll('/', '~1');
    return new FaultPlace(`${this.path}/${name}`, this.faults);
  }

  /** Reports a fault at this place. */
  fault(reason: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ path: this.path, reason });
  }
}
