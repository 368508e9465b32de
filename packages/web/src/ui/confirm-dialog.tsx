import { type ReactNode, useState } from 'react';
import { TextInput } from './fields.tsx';
import { FormEnd } from './form-end.tsx';
import { Notice } from './notice.tsx';
import { ModalDialog } from './overlay.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will be the consequences. */
  readonly children: ReactNode;
  readonly verb: string;
  readonly isPending: boolean;
  /** The consequences are not known, yet or at all. */
  readonly isDisabled?: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** To be typed, for what cannot be undone. */
  readonly typed?: string;
}

/** The consequences first, then the act. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const isHeld = props.isDisabled === true || (props.typed !== undefined && text !== props.typed);
  return (
    <ModalDialog title={props.title} isOpen onClose={props.onClose}>
      <form
        className="flex flex-col gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isHeld) props.onConfirm();
        }}
      >
        <div className="flex flex-col gap-2">{props.children}</div>
        {props.typed === undefined ? null : (
          <TextInput label={`Type ${props.typed} to confirm`} value={text} onChange={setText} isMono />
        )}
        {props.error ? (
          <Notice kind="error" title="It was not done.">
            {props.error.message}
          </Notice>
        ) : null}
        <FormEnd onCancel={props.onClose} kind="danger" isPending={props.isPending} isDisabled={isHeld}>
          {props.verb}
        </FormEnd>
      </form>
    </ModalDialog>
  );
}
