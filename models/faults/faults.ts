// All faults in the order in which they are listed.
import { CALL_FAULTS, RESULT_FAULTS } from './call-faults.ts';
import type { Fault } from './fault.ts';
import { HAND_OVER_FAULTS, LIMIT_FAULTS, REPLY_FAULTS } from './reply-faults.ts';
import { TRANSPORT_FAULTS } from './transport-faults.ts';

export const FAULTS: readonly Fault[] = [...CALL_FAULTS, ...RESULT_FAULTS, ...REPLY_FAULTS, ...LIMIT_FAULTS, ...HAND_OVER_FAULTS, ...TRANSPORT_FAULTS];
