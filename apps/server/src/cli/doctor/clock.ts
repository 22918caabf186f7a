import type { Finding } from './finding.ts';

/** As much as visitor tokens and signatures allow. */
const toleratedMs = 30_000;

/** Whether this machine's clock goes as that of somebody else. */
export function clockFinding(whose: string, theirs: number): Finding {
  const apart = Math.round((Date.now() - theirs) / 1000);
  if (Math.abs(apart) * 1000 <= toleratedMs) return { text: `The clock agrees with that of ${whose}.` };
  return {
    text: `The clock is ${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} that of ${whose}: tokens of visitors expire at the wrong time.`,
    mend: 'timedatectl set-ntp true',
  };
}
