// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.532581806 0.278624177 0.33497259 -0.110836498 -0.804312408 0.529319108 0.720480204 -0.0308981463
// cost: 48 instructions, 8756342 ticks
module {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<5x8xf32>) -> (tensor<8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:7 = stablehlo.while(%iterArg = %arg1, %iterArg_8 = %arg0, %iterArg_9 = %c, %iterArg_10 = %0, %iterArg_11 = %1, %iterArg_12 = %2, %iterArg_13 = %3) : tensor<5x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>
    cond {
      %c_14 = stablehlo.constant dense<5> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_9, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_9) : (tensor<5x8xf32>, tensor<i32>) -> tensor<8xf32>
      %11:4 = func.call @closed_call(%iterArg_8, %iterArg_10, %10) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      %12 = func.call @dynamic_update_index_in_dim(%iterArg_11, %11#1, %iterArg_9) : (tensor<5x8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<5x8xf32>
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_12, %11#2, %iterArg_9) : (tensor<5x8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<5x8xf32>
      %14 = func.call @dynamic_update_index_in_dim(%iterArg_13, %11#3, %iterArg_9) : (tensor<5x8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<5x8xf32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_9, %c_14 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %15, %11#0, %12, %13, %14 : tensor<5x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>
    }
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4#3 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %9:7 = stablehlo.while(%iterArg = %4#4, %iterArg_8 = %4#5, %iterArg_9 = %4#6, %iterArg_10 = %arg0, %iterArg_11 = %c_7, %iterArg_12 = %8, %iterArg_13 = %7) : tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c_14 = stablehlo.constant dense<5> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_11, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %c_14 = stablehlo.constant dense<5> : tensor<i32>
      %10 = stablehlo.subtract %c_14, %iterArg_11 : tensor<i32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.subtract %10, %c_15 : tensor<i32>
      %12 = func.call @dynamic_index_in_dim(%iterArg, %11) : (tensor<5x8xf32>, tensor<i32>) -> tensor<8xf32>
      %13 = func.call @dynamic_index_in_dim(%iterArg_8, %11) : (tensor<5x8xf32>, tensor<i32>) -> tensor<8xf32>
      %14 = func.call @dynamic_index_in_dim(%iterArg_9, %11) : (tensor<5x8xf32>, tensor<i32>) -> tensor<8xf32>
      %15:2 = func.call @closed_call_0(%iterArg_10, %iterArg_12, %iterArg_13, %12, %13, %14) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_11, %c_16 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %iterArg_9, %iterArg_10, %16, %15#0, %15#1 : tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>
    }
    return %9#5 : tensor<8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 8] : (tensor<5x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8xf32>
    %2 = stablehlo.tanh %1 : tensor<8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<8xf32>
    return %2, %arg1, %2, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<i32>) -> tensor<5x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<5x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<5x8xf32>
    return %1 : tensor<5x8xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.multiply %arg2, %arg5 : tensor<8xf32>
    %1 = stablehlo.multiply %0, %arg4 : tensor<8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8xf32>
    %3 = stablehlo.multiply %arg3, %2 : tensor<8xf32>
    %4 = stablehlo.add %arg1, %3 : tensor<8xf32>
    %5 = stablehlo.multiply %2, %arg0 : tensor<8xf32>
    return %4, %5 : tensor<8xf32>, tensor<8xf32>
  }
}
