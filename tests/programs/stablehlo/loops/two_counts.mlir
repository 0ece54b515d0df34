// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -2
// out: -0.908841789 -0.0830265209 0.07239943 0.996784806 -0.989060283 0.999362826 0.940052986 0.755239248 -0.908841789 -0.0830265209 0.07239943 0.996784806 -0.989060283 0.999362826 0.940052986 0.755239248 -0.908841789 -0.0830265209 0.07239943 0.996784806 -0.989060283 0.999362826 0.940052986 0.755239248
// cost: 115 instructions, 6660916 ticks
module {
  func.func public @main(%arg0: tensor<48x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<i32>, tensor<3x8xf32>) {
    %0 = stablehlo.slice %arg0 [0:3, 0:8] : (tensor<48x8xf32>) -> tensor<3x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<46> : tensor<i32>
    %1:5 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %c, %iterArg_3 = %c_0, %iterArg_4 = %0) : tensor<8x8xf32>, tensor<48x8xf32>, tensor<i32>, tensor<i32>, tensor<3x8xf32>
    cond {
      %c_5 = stablehlo.constant dense<24> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_2, %c_5 : tensor<i32>
      %c_6 = stablehlo.constant dense<2> : tensor<i32>
      %3 = stablehlo.subtract %iterArg_3, %c_6 : tensor<i32>
      %4 = stablehlo.dot_general %iterArg_4, %iterArg, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
      %5 = stablehlo.tanh %4 : tensor<3x8xf32>
      %6 = stablehlo.convert %iterArg_3 : tensor<i32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %7 = stablehlo.compare LT, %6, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_8 = stablehlo.constant dense<48> : tensor<i32>
      %8 = stablehlo.add %6, %c_8 : tensor<i32>
      %9 = stablehlo.select %7, %8, %6 : tensor<i1>, tensor<i32>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %10 = stablehlo.compare LT, %c_9, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %c_12 = stablehlo.constant dense<8> : tensor<i32>
      %11 = stablehlo.add %c_11, %c_12 : tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.select %10, %11, %c_13 : tensor<i1>, tensor<i32>
      %13 = stablehlo.dynamic_slice %iterArg_1, %9, %12, sizes = [1, 8] : (tensor<48x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %14 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<8xf32>
      %15 = stablehlo.convert %iterArg_3 : (tensor<i32>) -> tensor<f32>
      %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %17 = stablehlo.multiply %14, %16 : tensor<8xf32>
      %18 = stablehlo.broadcast_in_dim %17, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<3x8xf32>
      %20 = stablehlo.add %5, %19 : tensor<3x8xf32>
      stablehlo.return %iterArg, %iterArg_1, %2, %3, %20 : tensor<8x8xf32>, tensor<48x8xf32>, tensor<i32>, tensor<i32>, tensor<3x8xf32>
    }
    return %1#3, %1#4 : tensor<i32>, tensor<3x8xf32>
  }
}
