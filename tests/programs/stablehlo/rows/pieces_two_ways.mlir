// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -44.2442884 -62.9092546 -42.8204275 36.5440568 28.1968789 -49.4264715 19.2068534 57.8438033 -70.6935324 -55.7735535 2.65328369 -101.573905 -18.2892834 27.6532394 -33.6336165 -58.7695276
// out: sums -9621.27196 -9456.14737 -9294.82101 -9282.45976 -9366.24641 -9367.32554 -9021.84131 -8991.79514 -9005.74017 -9190.94145 -9238.54706 -9326.51208 -9201.98874 -9110.44262 -9384.9609 -9646.14164
// out: 0.9834885 0.994238615
// cost: 20 instructions, 3963012 ticks
module {
  func.func public @main(%arg0: tensor<2x50000xf32>, %arg1: tensor<2x50000xf32>) -> (tensor<50000xf32>, tensor<50000xf32>, tensor<2x1xf32>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<2x50000xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<50000xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x50000xf32>
    %5 = stablehlo.subtract %0, %4 : tensor<2x50000xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<50000xf32>
    return %3, %6, %2 : tensor<50000xf32>, tensor<50000xf32>, tensor<2x1xf32>
  }
}
