import { ArrowRight } from 'lucide-react';

/** Between what was and what is. A picture, since not every font has the sign. */
export function ToArrow() {
  return <ArrowRight size={12} role="img" aria-label="to" className="inline shrink-0 text-faint" />;
}
