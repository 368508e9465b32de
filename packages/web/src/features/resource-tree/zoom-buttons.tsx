import { Maximize, Minus, Plus } from 'lucide-react';
import { Button } from '../../ui/index.ts';
import type { ViewMoves } from './use-view.ts';

export function ZoomButtons({ moves }: { readonly moves: ViewMoves }) {
  return (
    <div className="absolute bottom-3 left-3 flex gap-1">
      <Button square aria-label="Zoom in" onPress={() => moves.zoom(1.25)}>
        <Plus size={14} aria-hidden />
      </Button>
      <Button square aria-label="Zoom out" onPress={() => moves.zoom(0.8)}>
        <Minus size={14} aria-hidden />
      </Button>
      <Button square aria-label="Fit into the window" onPress={moves.fit}>
        <Maximize size={14} aria-hidden />
      </Button>
    </div>
  );
}
