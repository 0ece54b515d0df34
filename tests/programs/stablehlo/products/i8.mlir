// in: draw 1 -128 1 256
// in: draw 2 -128 1 256
// out: hash 8fa4dae2c26e49af
// cost: 14 instructions, 737572 ticks
module {
  func.func public @main(%arg0: tensor<30x150xi8>, %arg1: tensor<150x20xi8>) -> (tensor<30x20xi32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<30x150xi8>, tensor<150x20xi8>) -> tensor<30x20xi32>
    return %0 : tensor<30x20xi32>
  }
}
