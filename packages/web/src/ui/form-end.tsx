import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface FormEndProps {
  readonly onCancel: () => void;
  /** What sending it does, in a word or two. */
  readonly children: ReactNode;
  readonly kind?: 'primary' | 'danger';
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
}

/** How a form ends: left, or sent. */
export function FormEnd({ onCancel, children, kind = 'primary', isPending = false, isDisabled = false }: FormEndProps) {
  return (
    <div className="flex justify-end gap-2">
      <Button onPress={onCancel}>Cancel</Button>
      <Button type="submit" kind={kind} isPending={isPending} isDisabled={isDisabled}>
        {children}
      </Button>
    </div>
  );
}
