"""From decisions to text: plan a module, align its two trees, rewrite the concrete one, manage its imports."""
