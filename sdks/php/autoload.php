<?php

declare(strict_types=1);

// For programs without Composer, which has its own.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Pos\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 4)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
