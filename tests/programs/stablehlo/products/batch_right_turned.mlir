// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -19.5648706 -13.0239106 2.42908819 -34.253032 11.096339 -63.4487076 -39.9817836 42.0853252 34.1448536 17.425437 29.0734168 -20.7546795 52.6859489 -19.2947283 -14.3445447 -32.8698468
// cost: 18 instructions, 963307 ticks
module {
  func.func public @main(%arg0: tensor<4x20x34xf32>, %arg1: tensor<4x25x34xf32>) -> (tensor<4x20x25xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x20x34xf32>, tensor<4x25x34xf32>) -> tensor<4x20x25xf32>
    return %0 : tensor<4x20x25xf32>
  }
}
