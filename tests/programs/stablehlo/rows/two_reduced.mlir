// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 3.00810814 2.68012619 -5.76570034 0.528198242 4.77882481 4.77180767 -0.479839325 -4.82247257 1.23120785
// out: 1.57209396 1.9623642 1.96097946 1.92347908 1.8982811 1.96911812 1.82845116 1.74144936 1.66813278
// cost: 55 instructions, 3927157 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<9x20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<-9.000000e+00> : tensor<f32>
    %2:2 = stablehlo.reduce(%arg0 init: %cst_0), (%1 init: %cst_1) across dimensions = [1] : (tensor<9x20xf32>, tensor<9x20xf32>, tensor<f32>, tensor<f32>) -> (tensor<9xf32>, tensor<9xf32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<f32>, %arg4: tensor<f32>)  {
      %3 = stablehlo.add %arg1, %arg3 : tensor<f32>
      %4 = stablehlo.maximum %arg2, %arg4 : tensor<f32>
      stablehlo.return %3, %4 : tensor<f32>, tensor<f32>
    }
    return %2#0, %2#1 : tensor<9xf32>, tensor<9xf32>
  }
}
