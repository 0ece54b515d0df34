// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 15.4867126 5.54037635 33.559487 54.2464713 -4.8700334 55.047823 26.8946689 -17.5925877 15.9219059 15.2615044 -21.1290356 45.6070361 56.7348525 15.0585964 21.582244 -11.6858622
// cost: 6 instructions, 610728 ticks
module {
  func.func public @main(%arg0: tensor<4099xf32>) -> (tensor<12297xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4099xf32>) -> tensor<4099x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<4099x3xf32>) -> tensor<12297xf32>
    return %1 : tensor<12297xf32>
  }
}
