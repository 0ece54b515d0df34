// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<9x6xf32>) -> (tensor<6xf32>, tensor<9x6xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9x6xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6, %7, %8, %9 = "stablehlo.while"(%0, %5, %2, %4) ({
    ^bb0(%10: tensor<9x6xf32>, %11: tensor<i32>, %12: tensor<6xf32>, %13: tensor<9x6xf32>):
      %14 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
      %15 = "stablehlo.compare"(%11, %14) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }, {
    ^bb0(%16: tensor<9x6xf32>, %17: tensor<i32>, %18: tensor<6xf32>, %19: tensor<9x6xf32>):
      %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %27 = "stablehlo.dynamic_slice"(%16, %17, %26) <{slice_sizes = array<i64: 1, 6>}> : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x6xf32>)
      %28 = "stablehlo.reshape"(%27) : (tensor<1x6xf32>) -> (tensor<6xf32>)
      %29 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6xf32>)
      %31 = "stablehlo.multiply"(%18, %30) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
      %32 = "stablehlo.add"(%31, %28) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
      %33 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> (tensor<1x6xf32>)
      %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %35 = "stablehlo.dynamic_update_slice"(%19, %33, %17, %34) : (tensor<9x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<9x6xf32>)
      %24 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %25 = "stablehlo.add"(%17, %24) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%16, %25, %32, %35) : (tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>) -> ()
    }) : (tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>) -> (tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>)
    "stablehlo.return"(%8, %9) : (tensor<6xf32>, tensor<9x6xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<9x6xf32>, %1: tensor<i32>) -> (tensor<6xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 1, 6>}> : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x6xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x6xf32>) -> (tensor<6xf32>)
    "stablehlo.return"(%4) : (tensor<6xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<6xf32>, %1: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
    %5 = "stablehlo.add"(%4, %1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
    "stablehlo.return"(%5, %0) : (tensor<6xf32>, tensor<6xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<9x6xf32>, %1: tensor<6xf32>, %2: tensor<i32>) -> (tensor<9x6xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> (tensor<1x6xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4) : (tensor<9x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<9x6xf32>)
    "stablehlo.return"(%5) : (tensor<9x6xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<9x6xf32>) -> (tensor<6xf32>, tensor<9x6xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9x6xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %32 = "stablehlo.constant"() <{value = dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000"> : tensor<9xi32>}> : () -> (tensor<9xi32>)
    %33 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> (tensor<i32>)
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %36 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<9x6xf32>) -> (tensor<6x9xf32>)
    %37 = "stablehlo.reshape"(%36) : (tensor<6x9xf32>) -> (tensor<1x6x9xf32>)
    %38 = "stablehlo.reshape"(%37) : (tensor<1x6x9xf32>) -> (tensor<6x9xf32>)
    %39 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6xf32>)
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %42 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<9xi32>)
    %44 = "stablehlo.add"(%32, %43) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>)
    %45 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xf32>) -> (tensor<6x9xf32>)
    %46 = "stablehlo.composite"(%45, %38, %2) <{composite_attributes = {}, name = "trainyard.linear_scan", version = 1 : i64}> : (tensor<6x9xf32>, tensor<6x9xf32>, tensor<6xf32>) -> (tensor<6x9xf32>)
    %47 = "stablehlo.slice"(%46) <{limit_indices = array<i64: 6, 9>, start_indices = array<i64: 0, 8>, strides = array<i64: 1, 1>}> : (tensor<6x9xf32>) -> (tensor<6x1xf32>)
    %48 = "stablehlo.reshape"(%47) : (tensor<6x1xf32>) -> (tensor<6xf32>)
    %49 = "stablehlo.reshape"(%2) : (tensor<6xf32>) -> (tensor<6x1xf32>)
    %50 = "stablehlo.slice"(%46) <{limit_indices = array<i64: 6, 8>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<6x9xf32>) -> (tensor<6x8xf32>)
    %51 = "stablehlo.concatenate"(%49, %50) <{dimension = 1 : i64}> : (tensor<6x1xf32>, tensor<6x8xf32>) -> (tensor<6x9xf32>)
    %52 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xf32>) -> (tensor<6x9xf32>)
    %53 = "stablehlo.multiply"(%51, %52) : (tensor<6x9xf32>, tensor<6x9xf32>) -> (tensor<6x9xf32>)
    %54 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<6x9xf32>) -> (tensor<1x6x9xf32>)
    %55 = "stablehlo.reshape"(%54) : (tensor<1x6x9xf32>) -> (tensor<6x9xf32>)
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 1, 0>}> : (tensor<6x9xf32>) -> (tensor<9x6xf32>)
    "stablehlo.return"(%48, %56) : (tensor<6xf32>, tensor<9x6xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<9x6xf32>, %1: tensor<i32>) -> (tensor<6xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 1, 6>}> : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x6xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x6xf32>) -> (tensor<6xf32>)
    "stablehlo.return"(%4) : (tensor<6xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<6xf32>, %1: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
    %5 = "stablehlo.add"(%4, %1) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>)
    "stablehlo.return"(%5, %0) : (tensor<6xf32>, tensor<6xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<9x6xf32>, %1: tensor<6xf32>, %2: tensor<i32>) -> (tensor<9x6xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> (tensor<1x6xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4) : (tensor<9x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<9x6xf32>)
    "stablehlo.return"(%5) : (tensor<9x6xf32>) -> ()
  }
}
