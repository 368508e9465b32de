import { Monitor, Moon, Sun } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { chooseTheme, Panel, type ThemeChoice, themeChoices, useThemeChoice } from '../../ui/index.ts';

const looks: Record<ThemeChoice, { readonly icon: typeof Sun; readonly title: string; readonly hint: string }> = {
  system: { icon: Monitor, title: 'System', hint: 'As the computer is set' },
  light: { icon: Sun, title: 'Light', hint: 'Dark text on white' },
  dark: { icon: Moon, title: 'Dark', hint: 'Light text on black' },
};

export function AppearanceSection() {
  const choice = useThemeChoice();
  return (
    <Panel title="Theme" hint="Kept in this browser.">
      <ToggleButtonGroup
        aria-label="Theme"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[choice]}
        onSelectionChange={(keys) => chooseTheme(themeChoices.find((theme) => keys.has(theme)) ?? 'system')}
        className="grid gap-3 sm:grid-cols-3"
      >
        {themeChoices.map((theme) => {
          const { icon: Icon, title, hint } = looks[theme];
          return (
            <ToggleButton
              key={theme}
              id={theme}
              className="flex items-center gap-3 rounded-lg border border-line px-3 py-3 text-left text-sm hover:bg-surface-2 data-[selected]:border-accent data-[selected]:bg-accent-weak"
            >
              <Icon size={18} aria-hidden className="shrink-0" />
              <span>
                <b className="block font-semibold">{title}</b>
                <span className="text-xs text-muted">{hint}</span>
              </span>
            </ToggleButton>
          );
        })}
      </ToggleButtonGroup>
    </Panel>
  );
}
