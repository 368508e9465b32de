import { Monitor, Moon, Sun } from 'lucide-react';
import {
  Button,
  chooseTheme,
  DropDown,
  DropDownItem,
  type ThemeChoice,
  themeChoices,
  useThemeChoice,
} from '../../ui/index.ts';

const icons = { system: Monitor, light: Sun, dark: Moon };
const names: Record<ThemeChoice, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeMenu() {
  const choice = useThemeChoice();
  const Icon = icons[choice];
  return (
    <DropDown
      label="Theme"
      selectionMode="single"
      selectedKeys={[choice]}
      disallowEmptySelection
      onAction={(key) => chooseTheme(themeChoices.find((theme) => theme === key) ?? 'system')}
      trigger={
        <Button kind="quiet" square aria-label={`Theme: ${names[choice]}`}>
          <Icon size={16} aria-hidden />
        </Button>
      }
    >
      {themeChoices.map((theme) => {
        const Item = icons[theme];
        return (
          <DropDownItem key={theme} id={theme}>
            <Item size={14} aria-hidden /> {names[theme]}
          </DropDownItem>
        );
      })}
    </DropDown>
  );
}
