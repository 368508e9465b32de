import { Bookmark, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type SavedView, useSavedViews } from '../../storage/index.ts';
import { Button, DropDown, DropDownItem, FormEnd, ModalDialog, TextInput } from '../../ui/index.ts';

interface SavedViewsMenuProps {
  readonly search: Readonly<Record<string, string>>;
  readonly onOpen: (search: SavedView['search']) => void;
}

/** Filters by name, kept in this browser. */
export function SavedViewsMenu({ search, onOpen }: SavedViewsMenuProps) {
  const { views, save, remove } = useSavedViews();
  const [dialog, setDialog] = useState<'save' | 'remove'>();
  const act = (key: string) => {
    if (key === '+save') setDialog('save');
    else if (key === '+remove') setDialog('remove');
    else {
      const view = views.find(({ name }) => `view ${name}` === key);
      if (view) onOpen(view.search);
    }
  };
  return (
    <>
      <DropDown
        label="Saved views"
        onAction={(key) => act(String(key))}
        trigger={
          <Button>
            <Bookmark size={14} aria-hidden /> Saved views
          </Button>
        }
      >
        {views.map(({ name }) => (
          <DropDownItem key={name} id={`view ${name}`} textValue={name}>
            <span className="max-w-60 truncate">{name}</span>
          </DropDownItem>
        ))}
        <DropDownItem id="+save">
          <Plus size={14} aria-hidden /> Save this view…
        </DropDownItem>
        {views.length > 0 ? (
          <DropDownItem id="+remove">
            <Trash2 size={14} aria-hidden /> Remove a view…
          </DropDownItem>
        ) : null}
      </DropDown>
      {dialog === 'save' ? (
        <SaveDialog onSave={(name) => save({ name, search })} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === 'remove' ? (
        <ModalDialog title="Remove a saved view" isOpen onClose={() => setDialog(undefined)}>
          <ul className="flex flex-col gap-1 text-sm">
            {views.map(({ name }) => (
              <li key={name} className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <Button kind="danger" className="h-7!" aria-label={`Remove view ${name}`} onPress={() => remove(name)}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        </ModalDialog>
      ) : null}
    </>
  );
}

interface SaveDialogProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

function SaveDialog({ onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim());
    onClose();
  };
  return (
    <ModalDialog title="Save this view" isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextInput
          label="Name"
          value={name}
          onChange={setName}
          hint="Filters, order and look, kept in this browser."
          isRequired
        />
        <FormEnd onCancel={onClose} isDisabled={name.trim() === ''}>
          Save
        </FormEnd>
      </form>
    </ModalDialog>
  );
}
