// Modal dialog in our look; focus, Escape and the scroll lock come from React Aria.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

interface ModalDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly width?: string;
}

export function ModalDialog({ title, isOpen, onClose, children, width = 'max-w-[560px]' }: ModalDialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable
      className="fixed inset-0 z-50 flex items-start justify-center bg-overlay p-3 pt-[8vh]"
    >
      <Modal className={classNames('w-full', width)}>
        <Dialog className="flex max-h-[84vh] flex-col rounded-lg border border-line bg-surface shadow-lift outline-none">
          <header className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4">
            <Heading slot="title" className="min-w-0 flex-1 truncate text-lg font-semibold">
              {title}
            </Heading>
            <Button kind="quiet" square aria-label="Close" onPress={onClose}>
              <X size={16} aria-hidden />
            </Button>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
