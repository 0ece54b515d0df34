// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash b0d7d421ee59c50d
// cost: 1 instructions, 323014 ticks
module {
  func.func public @main(%arg0: tensor<40x21xf32>) -> (tensor<30x28xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<40x21xf32>) -> tensor<21x40xf32>
    %1 = stablehlo.reshape %0 : (tensor<21x40xf32>) -> tensor<30x28xf32>
    return %1 : tensor<30x28xf32>
  }
}
