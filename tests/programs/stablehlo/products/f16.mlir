// tolerance: 0.003
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 17.8431556 8.72624826 -27.7445242 -152.576313 59.4850845 42.9495707 -6.05260181 76.2620876 -25.5930693 -60.9555986 74.7919331 52.836869 -65.046432 -78.5106878 69.0043039 84.7553222
// cost: 8 instructions, 755026 ticks
module {
  func.func public @main(%arg0: tensor<50x130xf16>, %arg1: tensor<130x60xf16>) -> (tensor<50x60xf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x130xf16>, tensor<130x60xf16>) -> tensor<50x60xf16>
    return %0 : tensor<50x60xf16>
  }
}
